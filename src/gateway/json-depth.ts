/** Whether arrays and objects in a parsed JSON value nest deeper than `limit`. Never recurses deeper than that itself. */
export function isDeeperThan(value: object, limit: number): boolean {
  if (limit === 0) return true;
  // Plain loops: this runs over every page received, and Object.values would copy each object.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (isDeepChild(value[i], limit)) return true;
    return false;
  }
  for (const key in value) if (isDeepChild((value as Record<string, unknown>)[key], limit)) return true;
  return false;
}

function isDeepChild(child: unknown, limit: number): boolean {
  return typeof child === 'object' && child !== null && isDeeperThan(child, limit - 1);
}
