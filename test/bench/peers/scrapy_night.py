"""A night with Scrapy: every page of every top category; what a page that failed had is reported as gone."""

import scrapy
from scrapy.crawler import CrawlerProcess

from grocery_night import headers, in_flight, later_pages, page_url, rows_of, store, taxonomy_url

rows = {}


class Grocery(scrapy.Spider):
    name = "grocery"

    async def start(self):
        yield scrapy.Request(taxonomy_url, headers=headers, callback=self.read_taxonomy)

    def read_taxonomy(self, response):
        for root in response.json()["data"]["taxonomy"]:
            yield self.ask(root["id"], 1)

    def ask(self, category_id, page_no):
        place = {"category_id": category_id, "page_no": page_no}
        return scrapy.Request(page_url(**place), headers=headers, callback=self.read_page, cb_kwargs=place)

    def read_page(self, response, category_id, page_no):
        page = response.json()["data"]
        rows.update(rows_of(page))
        if page_no == 1:
            for later in later_pages(page):
                yield self.ask(category_id, later)


process = CrawlerProcess(
    {
        "CONCURRENT_REQUESTS": in_flight,
        "CONCURRENT_REQUESTS_PER_DOMAIN": in_flight,
        "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "WARNING",
    }
)
process.crawl(Grocery)
process.start()
store(rows)
