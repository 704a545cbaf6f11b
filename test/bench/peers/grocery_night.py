"""What a short Python crawler of a night needs besides its framework: addresses, rows, and one transaction."""

import json
import os
from pathlib import Path
from urllib.parse import urlencode

import psycopg

upstream, database, night = os.environ["UPSTREAM"], os.environ["DATABASE"], os.environ["NIGHT"]
in_flight = 16
headers = {"X-Gateway-Key": "bench", "X-Gateway-Host": "grocery.simulator"}
taxonomy_url = f"{upstream}/get-category-id-for-uk"

states = ["price_minor", "unit_price", "unit_of_measure", "is_for_sale", "promotions"]
columns = ["product_id", "tpnb", "gtin", "title", "brand", "image_url", "category_id", *states]


def page_url(category_id, page_no):
    return f"{upstream}/category-page?{urlencode({'categoryId': category_id, 'pageNo': page_no})}"


def later_pages(page):
    information = page["pageInformation"]
    return range(2, -(-information["totalResults"] // information["resultsPerPage"]) + 1)


def row_of(product):
    price = product["price"] or {}
    shelf_price = price.get("price")
    return (
        *(product["id"], product["tpnb"], product["gtin"], product["title"].strip(), product["brand"]),
        *(product["imageUrl"], product["categoryBreadcrumbs"][-1]["id"]),
        None if shelf_price is None else round(shelf_price * 100),
        *(price.get("unitPrice"), price.get("unitOfMeasure"), product["isForSale"], json.dumps(product["promotions"])),
    )


def rows_of(page):
    return {product["id"]: row_of(product) for product in page["products"] if product is not None}


def store(rows):
    """Closes what changed or went, opens what is new, then brings the products up to date."""
    names = ", ".join(columns)
    with psycopg.connect(database) as db, db.cursor() as cursor:
        cursor.execute(Path(__file__).with_name("schema.sql").read_text())
        cursor.execute(f"create temporary table seen on commit drop as select {names} from product limit 0")
        with cursor.copy(f"copy seen ({names}) from stdin") as copy:
            for row in rows.values():
                copy.write_row(row)
        cursor.execute("analyze seen")
        for statement in merge():
            cursor.execute(statement, {"night": night})


def merge():
    def of(row, fields):
        return f"({', '.join(f'{row}.{field}' for field in fields)})"

    names, state_names = ", ".join(columns), ", ".join(states)
    return [
        f"""update product_history h set valid_to = %(night)s where valid_to is null and not exists (
              select from seen s
              where s.product_id = h.product_id and {of('s', states)} is not distinct from {of('h', states)})""",
        f"""insert into product_history (product_id, valid_from, {state_names})
            select product_id, %(night)s::date, {state_names} from seen s where not exists (
              select from product_history h where h.product_id = s.product_id and h.valid_to is null)""",
        """update product p set gone_on = %(night)s where gone_on is null and not exists (
              select from seen s where s.product_id = p.product_id)""",
        f"""insert into product ({names}) select {names} from seen s where not exists (
              select from product p where p.product_id = s.product_id and p.gone_on is null
                and {of('p', columns)} is not distinct from {of('s', columns)})
            on conflict (product_id) do update
            set gone_on = null, {', '.join(f'{name} = excluded.{name}' for name in columns)}""",
    ]
