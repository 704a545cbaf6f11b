/**
 * Signal that aborts with `signal`, or after `ms` with a `TimeoutError`. Its own timer holds it: Node collects an
 * `AbortSignal.timeout` inside an `AbortSignal.any` as garbage, and the result then never aborts (nodejs/node#57736).
 */
export function timeLimit(ms: number, signal?: AbortSignal): AbortSignal {
  const limit = new AbortController();
  const late = () => limit.abort(new DOMException(`It took longer than ${ms} ms.`, 'TimeoutError'));
  setTimeout(late, ms).unref();
  return signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
}
