"""Computes price indices with the package PriceIndexCalc.

Reads {"length": periods of a window, "periods": [{key: log of price}]} and prints logarithms of index values by method.
The package gives GEKS, the time product dummy and the splices on published values. The splices on the values of the
window before, and the expanding window, are computed here from its windows.
"""
import json
import sys

import numpy as np
import pandas as pd
from PriceIndexCalc.pandas_modules.extension_methods import hasp, mean_pub, movement_splice, wisp
from PriceIndexCalc.pandas_modules.multilateral import geks, time_dummy

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


def dummy_of(window):
    # The package needs a column per product and drops the first: products of one period only would be lost with it.
    kept = window.groupby("id").filter(lambda own: len(own) > 1).reset_index(drop=True)
    return np.asarray(time_dummy(kept, engine="sklearn"), dtype=float)


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


def spliced_on_window(table, places):
    """Continues a series by the movement of a window since earlier periods, corrected by the window before."""
    series = list(table.iloc[:length, length - 1])
    for last in range(length, count):
        now, before = table.iloc[:, last], table.iloc[:, last - 1]
        links = [now[last] / now[last - back] / (before[last - 1] / before[last - back]) for back in places]
        series.append(series[-1] * float(np.exp(np.mean(np.log(links)))))
    return series


def expanding():
    series = [1.0]
    for t in range(1, count):
        base = (t - 1) // (length - 1) * (length - 1)
        series.append(series[base] * geks_of(in_window(base, t))[-1])
    return series


geks_windows = revisions_of(geks_of)
everything = in_window(0, count - 1)
values = {
    "GEKS, one window": geks_of(everything),
    "TPD, one window": dummy_of(everything),
    "GEKS, movement splice on published values": spliced(geks_windows, movement_splice),
    "GEKS, window splice on published values": spliced(geks_windows, wisp),
    "GEKS, half splice on published values": spliced(geks_windows, hasp),
    "GEKS, mean splice on published values": spliced(geks_windows, mean_pub),
    "TPD, mean splice on published values": spliced(revisions_of(dummy_of), mean_pub),
    "GEKS, window splice": spliced_on_window(geks_windows, [length - 1]),
    "GEKS, half splice": spliced_on_window(geks_windows, [(length - 1) // 2]),
    "GEKS, mean splice": spliced_on_window(geks_windows, range(1, length)),
    "GEKS, expanding window": expanding(),
}
print(json.dumps({name: [float(np.log(value)) for value in series] for name, series in values.items()}))
