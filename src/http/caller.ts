import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Whether a request comes directly from a program on this machine, not through a proxy on it. A proxy is recognised
 * by the headers that it adds, or by the `Host` that it passes on: local programs ask for `localhost` or an IP
 * address.
 * The check of `Host` also blocks DNS rebinding: a page in a local browser whose domain name was made to point to
 * this machine.
 */
export const isLocal = ({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  isLocalHost(headers.host ?? '') &&
  !Object.keys(headers).some((name) => ofProxies.test(name))

const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address)

/**
 * Whether a `Host` header is `localhost` or an IP address. A port may follow, and an IPv6 address may be in brackets.
 */
const isLocalHost = (host: string): boolean => {
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isIP(name) !== 0
}

/** The standard headers of proxies, and those of nginx, Caddy, Traefik, HAProxy, Envoy, Apache and CDNs. */
const ofProxies =
  /^(forwarded|via|x-forwarded($|-)|x-real-ip$|x-client-ip$|x-cluster-client-ip$|x-original-|x-envoy-|x-proxyuser-ip$|true-client-ip$|fastly-|cf-|cdn-loop$|x-amzn?-|x-azure-|x-cloud-trace-context$)/
