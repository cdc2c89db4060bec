/**
 * Preloaded by `NODE_OPTIONS=--import`. On SIGUSR2 it causes an unexpected error in the way that THROWN_BY names. The
 * error contains the text of THROWN_WITH in many places.
 */
const words = process.env.THROWN_WITH ?? ''

const laden = (): Error => {
  const error = new TypeError(`broken at ${words}`, { cause: new Error(`because of ${words}`) })
  const request = { headers: { authorization: words, 'x-api-key': 'canary-api-key' }, url: words }
  return Object.assign(error, {
    input: words,
    config: { request, apiSecret: 'canary-api-secret' },
    code: words,
  })
}

process.once('SIGUSR2', () => {
  switch (process.env.THROWN_BY) {
    case 'exception':
      throw laden()
    case 'rejection':
      void Promise.reject(laden())
      break
    case 'rejection without an error':
      void Promise.reject({ apiSecret: 'canary-api-secret', words })
      break
    case 'exception of many':
      throw new AggregateError([laden(), laden()], words)
  }
})
