"""A night with Crawlee: every page of every top category; what a page that failed had is reported as gone."""

import asyncio
import json
import logging

from crawlee import ConcurrencySettings, Request
from crawlee.crawlers import HttpCrawler, HttpCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

from grocery_night import headers, in_flight, later_pages, page_url, rows_of, store, taxonomy_url

rows = {}


def ask(url, **user_data):
    return Request.from_url(url, headers=headers, user_data=user_data)


async def main():
    crawler = HttpCrawler(
        concurrency_settings=ConcurrencySettings(
            min_concurrency=in_flight, desired_concurrency=in_flight, max_concurrency=in_flight
        ),
        storage_client=MemoryStorageClient(),
        configure_logging=False,
    )

    @crawler.router.default_handler
    async def read(context: HttpCrawlingContext) -> None:
        data = json.loads(await context.http_response.read())["data"]
        category_id = context.request.user_data.get("category_id")
        if category_id is None:
            roots = [root["id"] for root in data["taxonomy"]]
            await context.add_requests([ask(page_url(root, 1), category_id=root, page_no=1) for root in roots])
            return
        rows.update(rows_of(data))
        if context.request.user_data["page_no"] == 1:
            later = later_pages(data)
            await context.add_requests([ask(page_url(category_id, no), category_id=category_id, page_no=no) for no in later])

    await crawler.run([ask(taxonomy_url)])


logging.basicConfig(level=logging.WARNING)
asyncio.run(main())
store(rows)
