/**
 * A request to one of the simulators.
 *
 * @param {string} method
 * @param {string} url
 * @param {unknown} [body] sent as JSON
 * @returns {Promise<any>} the answer's JSON; undefined if it has no body
 * @throws {Error} if the simulator refuses the request or cannot be reached
 */
export async function request(method, url, body) {
  const response = await fetch(url, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((cause) => {
    throw new Error('The sandbox isn’t answering. Is it still running?', { cause })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(refusal(text) ?? `${method} ${url} answered ${response.status}`)
  return text ? JSON.parse(text) : undefined
}

/** @param {string} text */
function refusal(text) {
  try {
    const body = JSON.parse(text)
    return body.message ?? body.description ?? body.error ?? null
  } catch {
    return null
  }
}
