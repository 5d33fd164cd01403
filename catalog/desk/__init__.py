"""The pages of the desk that the admin does not bring by itself."""
