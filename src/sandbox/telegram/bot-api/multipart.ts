export interface Upload {
  name: string
  mime: string
  bytes: Buffer
}

interface Form {
  fields: Map<string, string>
  uploads: Map<string, Upload>
}

/**
 * Reads `multipart/form-data`. It is tolerant, because libraries for bots use quotation marks in different ways.
 * @returns undefined if the body does not have that form
 */
export function parseMultipart(body: Buffer, contentType: string): Form | undefined {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  if (!boundary) return undefined
  const form: Form = { fields: new Map(), uploads: new Map() }
  for (const part of partsOf(body, `--${boundary[1] ?? boundary[2]}`)) addPart(form, part)
  return form
}

function partsOf(body: Buffer, delimiter: string): Buffer[] {
  const parts: Buffer[] = []
  let start = body.indexOf(delimiter)
  while (start >= 0) {
    const begin = start + delimiter.length + 2
    const end = body.indexOf(`\r\n${delimiter}`, begin)
    if (end < 0) break
    parts.push(body.subarray(begin, end))
    start = end + 2
  }
  return parts
}

function addPart(form: Form, part: Buffer): void {
  const headEnd = part.indexOf('\r\n\r\n')
  if (headEnd < 0) return
  const head = part.subarray(0, headEnd).toString()
  const bytes = part.subarray(headEnd + 4)
  const name = headerParameter(head, 'name')
  const fileName = headerParameter(head, 'filename')
  if (name === undefined) return
  if (fileName === undefined) form.fields.set(name, bytes.toString())
  else form.uploads.set(name, { name: fileName, mime: contentTypeOf(head), bytes: Buffer.from(bytes) })
}

function headerParameter(head: string, name: string): string | undefined {
  const found = new RegExp(`[;\\s]${name}=(?:"([^"\\r\\n]*)"|([^;\\r\\n]*))`, 'i').exec(head)
  return found ? (found[1] ?? found[2]?.trim()) : undefined
}

function contentTypeOf(head: string): string {
  return /^content-type:\s*([^;\r\n]+)/im.exec(head)?.[1]?.trim() ?? 'application/octet-stream'
}
