{# Groups of rows with the same key. Nulls count as equal. #}
{% test unique_key(model, columns) %}
select {{ columns | join(', ') }}, count(*) as found
from {{ model }}
group by {{ columns | join(', ') }}
having count(*) > 1
{% endtest %}
