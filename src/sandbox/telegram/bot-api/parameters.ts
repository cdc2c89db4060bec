import { badRequest } from '../refusal.ts'
import { parseMultipart, type Upload } from './multipart.ts'

/**
 * The arguments of one call. As on the real server, all are strings, whatever the request's encoding. Numbers and
 * objects are written as JSON, and unknown arguments are ignored.
 */
export class Parameters {
  #values: Map<string, string>
  #uploads: Map<string, Upload>

  constructor(values: Map<string, string>, uploads: Map<string, Upload> = new Map()) {
    this.#values = values
    this.#uploads = uploads
  }

  /** The arguments of a call whose JSON body is that object. */
  static of(fields: object): Parameters {
    return new Parameters(new Map(stringFields(fields)))
  }

  text(name: string): string {
    return this.#values.get(name) ?? ''
  }

  has(name: string): boolean {
    return this.#values.has(name) || this.#uploads.has(name)
  }

  flag(name: string): boolean {
    return /^(true|yes|1)$/i.test(this.text(name))
  }

  integer(name: string): number | undefined {
    const value = this.text(name).trim()
    return /^-?\d{1,16}$/.test(value) ? Number(value) : undefined
  }

  /**
   * @returns undefined if the argument is missing
   * @throws {Refusal} if its value is not JSON
   */
  json(name: string): unknown {
    const value = this.text(name)
    if (!value) return undefined
    try {
      return JSON.parse(value)
    } catch {
      throw badRequest(`can't parse ${name} JSON object`)
    }
  }

  /** The file in this field, or the file that the field names with `attach://<name>`. */
  upload(name: string): Upload | undefined {
    return this.#uploads.get(name) ?? this.attached(this.text(name))
  }

  attached(reference: string): Upload | undefined {
    return reference.startsWith('attach://') ? this.#uploads.get(reference.slice(9)) : undefined
  }

  /** The arguments for the record of calls. JSON is parsed, and only the name and size of an upload are kept. */
  payload(): Record<string, unknown> {
    const payload: Record<string, unknown> = {}
    for (const [name, value] of this.#values) {
      const upload = this.attached(value)
      payload[name] = upload ? summaryOf(upload) : witnessed(name, value)
    }
    for (const [name, upload] of this.#uploads) {
      if (!this.#isAttached(name)) payload[name] = summaryOf(upload)
    }
    return payload
  }

  #isAttached(name: string): boolean {
    return [...this.#values.values()].some((value) => value.includes(`attach://${name}`))
  }
}

const summaryOf = ({ name, bytes }: Upload) => ({ name, size: bytes.length })

function witnessed(name: string, value: string): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  const isNumber = /(_id|^offset|^limit|^timeout|^cache_time|^max_connections)$/.test(name)
  if (isNumber && name !== 'callback_query_id' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (!/^[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/**
 * The arguments in a request's URL and body. The body may have any of the Bot API's three encodings.
 *
 * @throws {Refusal} if the body does not match its content type
 */
export function readParameters(query: string, contentType: string, body: Buffer): Parameters {
  const values = new Map(new URLSearchParams(query))
  if (body.length === 0) return new Parameters(values)
  if (/^application\/json/i.test(contentType))
    return new Parameters(merged(values, stringFields(parseObject(body))))
  if (/^multipart\/form-data/i.test(contentType)) {
    const form = parseMultipart(body, contentType)
    if (!form) throw badRequest("can't parse multipart/form-data")
    return new Parameters(merged(values, form.fields), form.uploads)
  }
  return new Parameters(merged(values, new URLSearchParams(body.toString())))
}

function merged(first: Map<string, string>, second: Iterable<[string, string]>): Map<string, string> {
  return new Map([...first, ...second])
}

function stringFields(fields: object): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined) return []
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
  })
}

function parseObject(body: Buffer): object {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  } catch {
    // A body that is not JSON is refused below, as is one that is not an object.
  }
  throw badRequest("can't parse request JSON object")
}
