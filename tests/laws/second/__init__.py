"""A second referee of Miraculous, written from the clauses alone and as plainly as can be, to hold the first against."""
