-- A product has one price at a moment. Without this the planner expects every tenth of them once more, and keeps what was looked up
-- for 126,000 changes of a month in vain.
create statistics catalog.price_history_moment (ndistinct) on product_key, valid_from, price_minor from catalog.price_history;
