import { expect, test } from 'vitest'
import { proxyFor } from '../../src/start/proxies.ts'

const proxies = { https: 'http://secure:1', http: 'http://plain:2' }

test.each<[string, string, string | null]>([
  ['', 'https://api.telegram.org', proxies.https],
  ['', 'http://127.0.0.1:8080/api/v1', proxies.http],
  ['gram.org', 'https://api.telegram.org', proxies.https],
  ['telegram.org.example', 'https://api.telegram.org', proxies.https],
  ['api.telegram.org:80', 'https://api.telegram.org', proxies.https],
  ['.', 'https://api.telegram.org', proxies.https],
])('with NO_PROXY=%j, %s is requested through the proxy %s', (except, address, proxy) => {
  expect(proxyFor({ ...proxies, except: except.split(',').filter(Boolean) }, address)).toBe(proxy)
})

test.each([
  ['*', 'https://api.telegram.org'],
  ['telegram.org', 'https://api.telegram.org'],
  ['.telegram.org', 'https://api.telegram.org'],
  ['*.telegram.org', 'https://api.telegram.org'],
  ['api.telegram.org', 'https://api.telegram.org/'],
  ['api.telegram.org:443', 'https://api.telegram.org'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080/api/v1'],
  ['localhost,127.0.0.1', 'http://127.0.0.1:8080'],
])('with NO_PROXY=%j, %s is requested without a proxy', (except, address) => {
  expect(proxyFor({ ...proxies, except: except.split(',') }, address)).toBeNull()
})

test('HTTP_PROXY is not used for https addresses, nor HTTPS_PROXY for http addresses', () => {
  expect(proxyFor({ ...proxies, https: null, except: [] }, 'https://api.telegram.org')).toBeNull()
  expect(proxyFor({ ...proxies, http: null, except: [] }, 'http://api.telegram.org')).toBeNull()
})
