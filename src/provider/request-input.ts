import { z } from 'zod'
import { ProviderError } from './error.ts'
import { networks } from './network.ts'
import { isPhone, type Phone } from './phone.ts'

/**
 * Builds the requests of all calls and checks them before a byte is sent. Error messages name fields, never values.
 */

const bundleId = z.int().positive()

const phone = z.string().refine(isPhone, 'must be ten digits in the form 0XXXXXXXXX') as z.ZodType<Phone>

const webhookUrl = z
  .string()
  .max(2048)
  .refine(isHttpUrl, 'must be an http or https URL without credentials')
  .optional()

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
}

const phones = z
  .array(phone)
  .min(1)
  .max(100)
  .refine((list) => new Set(list).size === list.length, 'must not name a phone twice')

const order = z
  .object({ bundleId, phone, webhookUrl })
  .transform((input) => ({ bundle_id: input.bundleId, phone: input.phone, webhook_url: input.webhookUrl }))

const bulkOrder = z
  .object({ bundleId, phones, webhookUrl })
  .transform((input) => ({ bundle_id: input.bundleId, phones: input.phones, webhook_url: input.webhookUrl }))

const bundleQuery = z.object({ network: z.enum(networks).optional() })

const page = z
  .object({ page: z.int().min(1).optional(), perPage: z.int().min(1).max(100).optional() })
  .transform((input) => ({ page: input.page, per_page: input.perPage }))

/** One path segment. A slash or a dot segment would address something other than an order. */
const reference = z
  .string()
  .refine((text) => /^[^\s/\\\p{Cc}]{1,200}$/u.test(text), 'must be 1 to 200 characters without / or spaces')
  .refine((text) => text !== '.' && text !== '..', 'must not be a dot segment')
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')

/** @throws ProviderError `invalid_request` */
const checked = <T>(schema: z.ZodType<T>, input: unknown): T => {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => [issue.path.join('.'), issue.message].join(' ').trim())
  throw new ProviderError('invalid_request', `The request is invalid: ${faults.join('; ')}.`)
}

const withQuery = (path: string, query: Record<string, string | number | undefined>): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

/**
 * The path of a read, below the base URL, or the body of a POST.
 * @throws ProviderError `invalid_request`
 */
export const requests = {
  bundles: (query: unknown) => withQuery('/bundles', checked(bundleQuery, query)),
  transactions: (query: unknown) => withQuery('/transactions', checked(page, query)),
  orderStatus: (input: unknown) => `/order/status/${encodeURIComponent(checked(reference, input))}`,
  order: (input: unknown) => JSON.stringify(checked(order, input)),
  bulkOrder: (input: unknown) => JSON.stringify(checked(bulkOrder, input)),
}
