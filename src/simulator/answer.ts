/** A response before sending. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Origin of the response: the gateway marks its own, which do not count against the quota. */
  readonly from: 'vendor' | 'gateway';
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The vendor's success envelope around JSON text. */
export function success(data: string): Answer {
  return { status: 200, body: `{"success":true,"data":${data}}`, from: 'vendor' };
}

/** The vendor's failure envelope. */
export function vendorFailure(status: number, error: string, message: string): Answer {
  return { status, body: JSON.stringify({ success: false, message, error }), from: 'vendor' };
}

export function invalidQuestion(message: string): Answer {
  return vendorFailure(400, 'VALIDATION_ERROR', `Invalid request: ${message}`);
}

/** Validation failure as in the specification, for listings that follow it. */
export function zodFailure(fields: readonly { readonly path: string; readonly message: string }[]): Answer {
  const issues = fields.map(({ path, message }) => ({
    code: 'too_small',
    minimum: 1,
    type: 'string',
    inclusive: true,
    exact: false,
    message,
    path: [path],
  }));
  const message = 'Invalid payload: send the header Content-Type: application/json and a body of valid JSON';
  return {
    status: 400,
    body: JSON.stringify({ success: false, message, error: { name: 'ZodError', issues } }),
    from: 'vendor',
  };
}

/** A response of the gateway itself: `message`, never `success`. */
function gatewayRefusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body: JSON.stringify({ message }), from: 'gateway', headers };
}

/** Texts observed at the marketplace. */
export const refusals = {
  noKey: gatewayRefusal(401, 'Invalid API key. Go to https://docs.gateway.example/docs/keys for more info.'),
  notSubscribed: gatewayRefusal(403, 'You are not subscribed to this API.'),
  noSuchListing: gatewayRefusal(404, "API doesn't exists"),
  noSuchEndpoint: (path: string) => gatewayRefusal(404, `Endpoint '${path}' does not exist`),
  tooFast: (window: 'second' | 'minute' | 'hour' | 'day', headers: Readonly<Record<string, string>> = {}) =>
    gatewayRefusal(
      429,
      `You have exceeded the rate limit per ${window} for your plan, BASIC, by the API provider`,
      headers,
    ),
  quotaUsed: (headers: Readonly<Record<string, string>> = {}) => gatewayRefusal(429, quotaText, headers),
  unreachable: {
    status: 502,
    body:
      '{"messages":"The API is unreachable, please contact the API provider",' +
      '"info":"Your Client (working) ---> Gateway (working) ---> API (not working)"}',
    from: 'gateway',
  },
  timedOut: {
    status: 504,
    body:
      '{"messages":"The request to the API has timed out. Please try again later, or if the issue persists, ' +
      'please contact the API provider",' +
      '"info":"Your Client (working) ---> Gateway (working) ---> API (not working)"}',
    from: 'gateway',
  },
} as const satisfies Record<string, Answer | ((...args: never[]) => Answer)>;

export const quotaText =
  'You have exceeded the MONTHLY quota for Requests on your current plan, BASIC. ' +
  'Upgrade your plan at https://gateway.example/grocery';
