/** State that a browser keeps between requests. */
export class Cookies {
  readonly #kept = new Map<string, string>();

  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.#kept.set(name!, value!);
    }
  }

  get header(): string {
    return [...this.#kept].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** Sends one request without following redirects; keeps the cookies. */
export async function ask(url: string, cookies: Cookies, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    headers: { ...init.headers, cookie: cookies.header },
  });
  cookies.take(response);
  return response;
}

/** The log-in form, filled in and sent. */
export async function logIn(url: string, cookies: Cookies, given: string, to = '/'): Promise<Response> {
  const form = await (await ask(`${url}/login?to=${encodeURIComponent(to)}`, cookies)).text();
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!,
  ]);
  const body = new URLSearchParams([...hidden, ['password', given]]);
  return ask(`${url}/login`, cookies, { method: 'POST', body });
}
