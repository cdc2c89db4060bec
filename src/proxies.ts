/** The HTTP proxies of the environment, by which this machine reaches the internet. */
export interface Proxies {
  /** For https:// addresses. */
  https: string | null
  /** For http:// addresses. */
  http: string | null
  /** Hosts that are reached without, as `NO_PROXY` lists them. */
  except: readonly string[]
}

/**
 * The proxy for an address; null: none. `NO_PROXY` is read as curl and Node read it: `example.com` and `.example.com`
 * mean the host and all below it, `example.com:8443` one port, `*` every host.
 */
export const proxyFor = ({ https, http, except }: Proxies, address: string): string | null => {
  const url = URL.parse(address)
  if (!url) return null
  const proxy = url.protocol === 'https:' ? https : http
  return proxy === null || except.some((pattern) => isExcepted(url, pattern)) ? null : proxy
}

const isExcepted = ({ hostname, protocol, port }: URL, pattern: string): boolean => {
  if (pattern === '*') return true
  const [, name = '', onPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(pattern) ?? []
  const usualPort = protocol === 'https:' ? '443' : '80'
  if (onPort !== undefined && onPort !== (port || usualPort)) return false
  return name !== '' && (hostname === name || hostname.endsWith(`.${name}`))
}

/** Where a proxy is, without its password. */
export const proxyHost = (proxy: string): string => URL.parse(proxy)?.host ?? ''
