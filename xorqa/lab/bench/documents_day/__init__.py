"""Questions over documentation that Debian packages ship, and how many are answered rightly."""
