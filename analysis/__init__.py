"""Pure computation: video → frame series → metrics → statistics. No Django, no database."""
