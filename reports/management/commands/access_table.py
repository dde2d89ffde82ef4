"""Write docs/access.md anew."""

from typing import Any

from django.core.management.base import BaseCommand

from reports.access.document import FILE, access_markdown


class Command(BaseCommand):
    help = "Write docs/access.md, who may do what, from the table in reports/access/table.py."

    def handle(self, *args: Any, **options: Any) -> None:
        FILE.write_text(access_markdown(), encoding="utf-8")
        self.stdout.write(f"{FILE} is written.")
