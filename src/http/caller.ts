import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * Whether a request comes from this machine and no proxy on it passed the request on. A proxy shows itself by a header
 * of its own, or by the host that was asked for: a program here asks for `localhost` or an address. That also stops a
 * page in a browser here whose domain was made to point to this machine.
 */
export const isLocal = ({ headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  isLocalHost(headers.host ?? '') &&
  !Object.keys(headers).some((name) => ofProxies.test(name))

const isLoopback = (address: string): boolean => /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address)

/** With or without a port. An IPv6 address is in brackets. */
const isLocalHost = (host: string): boolean => {
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isIP(name) !== 0
}

/**
 * Headers of the standard, of nginx, Caddy, Traefik, HAProxy, Envoy, Apache, and of the networks in front of servers.
 */
const ofProxies =
  /^(forwarded|via|x-forwarded($|-)|x-real-ip$|x-client-ip$|x-cluster-client-ip$|x-original-|x-envoy-|x-proxyuser-ip$|true-client-ip$|fastly-|cf-|cdn-loop$|x-amzn?-|x-azure-|x-cloud-trace-context$)/
