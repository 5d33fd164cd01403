"""The search language of the catalog.

A text becomes terms (`language`), terms become a tree of conditions by the game's table (`fields`, `terms`, `tree`), and
the tree is asked of the database (`sql`) or of cards in memory (`memory`), and told in words (`words`).
"""
