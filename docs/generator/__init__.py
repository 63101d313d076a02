"""Makes the man pages and the reference pages of the site. See docs/generate."""
