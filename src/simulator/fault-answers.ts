import { type Answer, quotaText, refusals, success, vendorFailure } from './answer.ts';
import type { FaultContext, FaultRule, Firing } from './fault-rules.ts';

/** Response of a fault that replaces the true one; null if there is none. */
export function faultAnswer(firings: readonly Firing[], context: FaultContext): Answer | null {
  const firing = firings.find(({ place }) => place === 'answer');
  return firing ? answers[firing.rule.kind as keyof typeof answers](firing.rule, context) : null;
}

const answers = {
  rate429: (rule: FaultRule) => refusals.tooFast('second', waiting(rule)),
  quota429: (rule: FaultRule) => refusals.quotaUsed(waiting(rule)),
  auth401: () => refusals.noKey,
  forbidden403: () => refusals.notSubscribed,
  gateway404: (_: FaultRule, { endpoint }: FaultContext) => refusals.noSuchEndpoint(`/${endpoint}`),
  host404: () => refusals.noSuchListing,
  gateway502: () => refusals.unreachable,
  gateway504: () => refusals.timedOut,
  vendor400: () => vendorFailure(400, 'VALIDATION_ERROR', 'Invalid request: Query is required'),
  vendor500: (_: FaultRule, { endpoint }: FaultContext) =>
    endpoint === 'store-list'
      ? vendor(500, '{"success":false,"message":"Internal server error"}')
      : vendorFailure(500, 'INTERNAL_ERROR', 'Internal server error. Please try again later.'),
  vendor502: (rule: FaultRule) => ({
    ...vendorFailure(502, 'TESCO_API_ERROR', 'Tesco API is currently unavailable. Please try again later.'),
    headers: waiting(rule),
  }),
  html502: () =>
    html(
      502,
      '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n' +
        '<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body>\r\n</html>\r\n',
    ),
  html503: () =>
    html(
      503,
      '<!DOCTYPE html><html><head><title>ERROR: The request could not be satisfied</title></head>' +
        '<body><h1>503 ERROR</h1></body></html>',
    ),
  html200: () =>
    html(
      200,
      '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>',
    ),
  emptyBody: () => vendor(200, ''),
  quotaText200: () => vendor(200, JSON.stringify({ message: quotaText })),
  successFalse200: () =>
    vendor(
      200,
      '{"success":false,"message":"Internal server error. Please try again later.","error":"INTERNAL_ERROR"}',
    ),
  redirect: ({ status = 302, location = 'http://elsewhere.invalid/' }: FaultRule) => ({
    ...html(status, '<html><body>Moved</body></html>'),
    headers: { location },
  }),
  notFound: () => success('{"productId":"0","results":[{"data":{"product":null}}]}'),
  graphqlErrors: () =>
    success(
      '{"productId":"0","results":[{"errors":[{"message":"Service Unavailable","extensions":{"http":{"status":503}}}' +
        '],"data":{"product":null},"status":503}]}',
    ),
} satisfies Record<string, (rule: FaultRule, context: FaultContext) => Answer>;

function waiting({ retryAfter }: FaultRule): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': retryAfter };
}

function vendor(status: number, body: string): Answer {
  return { status, body, from: 'vendor' };
}

function html(status: number, body: string): Answer {
  return { status, body, from: 'vendor', contentType: 'text/html' };
}
