"""A night with dlt: every page of every top category, merged as a slowly changing dimension (scd2)."""

import os
from concurrent.futures import ThreadPoolExecutor

import dlt
from dlt.sources.helpers import requests

upstream, database, night = os.environ["UPSTREAM"], os.environ["DATABASE"], os.environ["NIGHT"]
in_flight = 16
headers = {"X-Gateway-Key": "bench", "X-Gateway-Host": "grocery.simulator"}
http = requests.Client(request_timeout=60, session_attrs={"headers": headers})


def ask(path, **query):
    response = http.get(f"{upstream}/{path}", params=query)
    response.raise_for_status()
    return response.json()["data"]


def ask_page(place):
    category_id, page_no = place
    return ask("category-page", categoryId=category_id, pageNo=page_no)


def pages():
    category_ids = [root["id"] for root in ask("get-category-id-for-uk")["taxonomy"]]
    with ThreadPoolExecutor(in_flight) as pool:
        first_pages = list(pool.map(ask_page, [(category_id, 1) for category_id in category_ids]))
        yield from first_pages
        yield from pool.map(ask_page, later_places(category_ids, first_pages))


def later_places(category_ids, first_pages):
    for category_id, page in zip(category_ids, first_pages):
        information = page["pageInformation"]
        last = -(-information["totalResults"] // information["resultsPerPage"])
        yield from ((category_id, page_no) for page_no in range(2, last + 1))


def row_of(product):
    price = product["price"] or {}
    shelf_price = price.get("price")
    return {
        "product_id": int(product["id"]),
        "tpnb": product["tpnb"],
        "gtin": product["gtin"],
        "title": product["title"].strip(),
        "brand": product["brand"],
        "image_url": product["imageUrl"],
        "category_id": product["categoryBreadcrumbs"][-1]["id"],
        "price_minor": None if shelf_price is None else round(shelf_price * 100),
        "unit_price": price.get("unitPrice"),
        "unit_of_measure": price.get("unitOfMeasure"),
        "is_for_sale": product["isForSale"],
        "promotions": product["promotions"],
    }


@dlt.resource(
    name="product",
    primary_key="product_id",
    columns={"promotions": {"data_type": "json"}, "unit_price": {"data_type": "double"}},
    max_table_nesting=0,
    write_disposition={
        "disposition": "merge",
        "strategy": "scd2",
        "boundary_timestamp": f"{night}T00:00:00Z",
    },
)
def products():
    seen = set()
    for page in pages():
        listed = [product for product in page["products"] if product is not None]
        yield [row_of(product) for product in listed if product["id"] not in seen]
        seen.update(product["id"] for product in listed)


pipeline = dlt.pipeline(
    pipeline_name="night",
    destination=dlt.destinations.postgres(database),
    dataset_name="grocery",
    pipelines_dir=os.environ["HOME_FOLDER"],
)
pipeline.run(products(), loader_file_format="csv").raise_on_failed_jobs()
