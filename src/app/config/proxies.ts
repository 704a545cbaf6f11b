import type { Environment } from './environment.ts';

export type Proxies = ReturnType<typeof readProxies>;

/** Variables that other programs know as well; the lower-case name wins. Null: no proxy. */
export function readProxies({ text, mistakes }: Pick<Environment, 'text' | 'mistakes'>) {
  const either = (name: string) => text(name.toLowerCase()) ?? text(name);
  const read = (name: string): URL | null => {
    const written = either(name);
    if (written === null) return null;
    const url = written.includes('://') ? written : `http://${written}`;
    if (/^https?:/i.test(url) && URL.canParse(url)) return new URL(url);
    mistakes.push(`${name} must be the URL of a proxy, such as http://proxy.example:3128`);
    return null;
  };
  const http = read('HTTP_PROXY');
  const direct = (either('NO_PROXY') ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    http,
    https: read('HTTPS_PROXY') ?? http,
    /** Hosts, domains or `*`, perhaps with a port. */
    direct: direct.map((entry) => entry.replace(/^\*?\./, '')),
  };
}

/** The proxy through which an address is asked; null: none. */
export function proxyFor(address: string, { http, https, direct }: Proxies): URL | null {
  const { protocol, hostname, port } = new URL(address);
  const usualPort = protocol === 'https:' ? '443' : '80';
  const isDirect = (entry: string) => {
    const [, host, ofPort = ''] = /^(.*?)(?::(\d+))?$/.exec(entry)!;
    const isOfPort = ofPort === '' || ofPort === (port || usualPort);
    return isOfPort && (host === '*' || host === hostname || hostname.endsWith(`.${host}`));
  };
  if (direct.some(isDirect)) return null;
  return protocol === 'https:' ? https : http;
}
