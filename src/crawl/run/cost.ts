/** Cost of requests: a decimal amount in units of the currency. */
export interface Cost {
  readonly amount: string;
  readonly currency: string;
}

/** SQL: cost of a run's requests as a `Cost`; null if the price of any request is unknown. */
export function costOfRun(runId: string): string {
  return `(
    select case when bool_and(s.cost is not null) and min(s.currency) = max(s.currency)
      then json_build_object('amount', trim_scale(round(sum(s.cost), 6))::text, 'currency', min(s.currency)) end
    from ops.spend s where s.run_id = ${runId} and s.sent > 0
  )`;
}

/** Formats a cost as `0.42 USD`; amounts below a cent keep all digits. */
export function describeCost({ amount, currency }: Cost): string {
  const value = Number(amount);
  return `${value === 0 || value >= 0.01 ? value.toFixed(2) : amount} ${currency}`;
}
