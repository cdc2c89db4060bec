export interface Proxies {
  /** For https:// addresses. */
  https: string | null
  /** For http:// addresses. */
  http: string | null
  /** Hosts that are reached without a proxy, as listed in `NO_PROXY`. */
  except: readonly string[]
}

/**
 * The proxy for an address; null if there is none. `NO_PROXY` means the same as for curl and Node: `example.com` and
 * `.example.com` are the host and its subdomains, `example.com:8443` is one port, `*` is every host.
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

/** The host and port of a proxy, without its password. */
export const proxyHost = (proxy: string): string => URL.parse(proxy)?.host ?? ''
