/** What requests cost, in units of the currency as a decimal text. */
export interface Cost {
  readonly amount: string;
  readonly currency: string;
}

/** SQL: what the requests of a run cost as a `Cost`; null where the price of one of them is not known. */
export function costOfRun(runId: string): string {
  return `(
    select case when bool_and(s.cost is not null) and min(s.currency) = max(s.currency)
      then json_build_object('amount', trim_scale(round(sum(s.cost), 6))::text, 'currency', min(s.currency)) end
    from ops.spend s where s.run_id = ${runId} and s.sent > 0
  )`;
}

/** `0.42 USD`; what is less than a cent with the digits it takes. */
export function describeCost({ amount, currency }: Cost): string {
  const value = Number(amount);
  return `${value === 0 || value >= 0.01 ? value.toFixed(2) : amount} ${currency}`;
}
