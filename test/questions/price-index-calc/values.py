"""Computes price indices with the package PriceIndexCalc.

Reads {"length": periods of a window, "periods": [{key: log of price}]} and prints logarithms of index values by method.
"""
import json
import sys

import numpy as np
import pandas as pd
from PriceIndexCalc.pandas_modules.extension_methods import mean_pub
from PriceIndexCalc.pandas_modules.multilateral import geks

asked = json.load(sys.stdin)
length = asked["length"]
count = len(asked["periods"])
rows = [
    {"month": f"{t:03}", "id": f"{int(key):06}", "price": float(np.exp(log)), "quantity": 1.0, "weights": 1.0}
    for t, prices in enumerate(asked["periods"])
    for key, log in prices.items()
]
prices = pd.DataFrame(rows).sort_values(["month", "id"], ignore_index=True)


def in_window(first, last):
    return prices[(prices.month >= f"{first:03}") & (prices.month <= f"{last:03}")].reset_index(drop=True)


def geks_of(window):
    return np.asarray(geks(window, bilateral_method="jevons"), dtype=float)


def revisions_of(index_of):
    """A column for each window, named by its last period, as the package's splices expect."""
    table = pd.DataFrame(np.nan, index=range(count), columns=range(count))
    for last in range(length - 1, count):
        first = last - length + 1
        table.iloc[first : last + 1, last] = index_of(in_window(first, last))
    return table


def spliced(table, splice):
    first = table.iloc[:length, length - 1]
    # Newer versions of pandas add empty rows.
    return [*first, *splice(table, window=length - 1).iloc[:, 0].dropna()]


geks_windows = revisions_of(geks_of)
everything = in_window(0, count - 1)
values = {
    "GEKS, one window": geks_of(everything),
    "GEKS, mean splice on published values": spliced(geks_windows, mean_pub),
}
print(json.dumps({name: [float(np.log(value)) for value in series] for name, series in values.items()}))
