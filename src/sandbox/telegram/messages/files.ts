import { randomBytes } from 'node:crypto'
import type { Document, File, PhotoSize } from 'grammy/types'
import type { Upload } from '../bot-api/multipart.ts'
import type { Parameters } from '../bot-api/parameters.ts'
import { badRequest } from '../refusal.ts'
import type { MessageContent } from '../world.ts'

const megabyte = 1024 * 1024
/** The largest download in bytes: https://core.telegram.org/bots/api#getfile */
const largestDownload = 20 * megabyte

interface StoredFile extends Upload {
  id: string
  uniqueId: string
  path: string
}

/** The bytes of each file by its `file_id`, until a reset. */
export class FileStore {
  #files = new Map<string, StoredFile>()
  #idByPath = new Map<string, string>()

  add(upload: Upload, folder: 'documents' | 'photos'): StoredFile {
    const extension = /\.[a-z0-9]{1,8}$/i.exec(upload.name)?.[0] ?? ''
    const file: StoredFile = {
      ...upload,
      id: `BQACAgQAAxkB${randomBytes(24).toString('base64url')}`,
      uniqueId: `AgAD${randomBytes(8).toString('base64url')}`,
      path: `${folder}/file_${this.#files.size}${extension}`,
    }
    this.#files.set(file.id, file)
    this.#idByPath.set(file.path, file.id)
    return file
  }

  clear(): void {
    this.#files.clear()
    this.#idByPath.clear()
  }

  byId(id: string): StoredFile | undefined {
    return this.#files.get(id)
  }

  byPath(path: string): StoredFile | undefined {
    return this.byId(this.#idByPath.get(path) ?? '')
  }
}

/** `getFile` returns the path from which the file can be downloaded. */
export function describeFile(files: FileStore, parameters: Parameters): File {
  const id = parameters.text('file_id')
  if (!id) throw badRequest('file_id not specified')
  const file = files.byId(id)
  if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable')
  if (file.bytes.length > largestDownload) throw badRequest('file is too big')
  return {
    file_id: file.id,
    file_unique_id: file.uniqueId,
    file_size: file.bytes.length,
    file_path: file.path,
  }
}

/**
 * The `document` or `photo` that the bot has sent, as a part of a message. The bot sends an upload, or the id of a
 * known file.
 */
export function mediaContent(
  files: FileStore,
  kind: 'document' | 'photo',
  given: { upload: Upload | undefined; reference: string },
): MessageContent {
  const stored = given.upload ? addUpload(files, kind, given.upload) : knownFile(files, kind, given.reference)
  return kind === 'photo' ? { photo: photoOf(stored) } : { document: documentOf(stored) }
}

/** A file that a person dropped into a chat. A picture becomes a photo, anything else a document. */
export function droppedContent(files: FileStore, upload: Upload): MessageContent {
  const isPicture = /^image\/(png|jpeg)$/.test(upload.mime) && imageSize(upload.bytes) !== undefined
  return mediaContent(files, isPicture ? 'photo' : 'document', { upload, reference: '' })
}

/**
 * The content of a message that is not a text, file or contact: a voice message of three seconds, a sticker, or a
 * location in Accra.
 */
export function otherContent(files: FileStore, kind: 'voice' | 'sticker' | 'location'): MessageContent {
  if (kind === 'location') return { location: { latitude: 5.6037, longitude: -0.187 } }
  const mime = kind === 'voice' ? 'audio/ogg' : 'image/webp'
  const upload = { name: `${kind}.${kind === 'voice' ? 'ogg' : 'webp'}`, mime, bytes: Buffer.from(kind) }
  const { id, uniqueId, bytes } = files.add(upload, 'documents')
  const file = { file_id: id, file_unique_id: uniqueId, file_size: bytes.length }
  if (kind === 'voice') return { voice: { ...file, duration: 3, mime_type: mime } }
  const look = { width: 512, height: 512, is_animated: false, is_video: false }
  return { sticker: { ...file, ...look, type: 'regular', emoji: '👍' } }
}

function addUpload(files: FileStore, kind: 'document' | 'photo', upload: Upload): StoredFile {
  if (upload.bytes.length === 0) throw badRequest('file must be non-empty')
  if (kind === 'photo' && upload.bytes.length > 10 * megabyte) throw badRequest('too big file')
  if (kind === 'photo' && !imageSize(upload.bytes)) throw badRequest('IMAGE_PROCESS_FAILED')
  return files.add(upload, kind === 'photo' ? 'photos' : 'documents')
}

function knownFile(files: FileStore, kind: 'document' | 'photo', reference: string): StoredFile {
  if (!reference || reference.startsWith('attach://')) throw badRequest(`there is no ${kind} in the request`)
  if (/^https?:/i.test(reference)) throw badRequest('failed to get HTTP URL content')
  const file = files.byId(reference)
  if (!file) throw badRequest('wrong remote file identifier specified: Wrong character in the string')
  if (kind === 'photo' && !imageSize(file.bytes)) {
    throw badRequest("can't use file of type Document as Photo")
  }
  return file
}

function documentOf(file: StoredFile): Document {
  return {
    file_name: file.name,
    mime_type: file.mime === 'application/octet-stream' ? mimeOf(file.name) : file.mime,
    file_id: file.id,
    file_unique_id: file.uniqueId,
    file_size: file.bytes.length,
  }
}

function photoOf(file: StoredFile): PhotoSize[] {
  const size = imageSize(file.bytes) ?? { width: 1, height: 1 }
  return [{ file_id: file.id, file_unique_id: file.uniqueId, file_size: file.bytes.length, ...size }]
}

const mimeTypes = new Map(
  Object.entries({
    csv: 'text/csv',
    txt: 'text/plain',
    json: 'application/json',
    pdf: 'application/pdf',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
)

/** The MIME type that a file's name suggests, for documents whose sender did not state one. */
export function mimeOf(name: string): string {
  return mimeTypes.get(name.split('.').at(-1)?.toLowerCase() ?? '') ?? 'application/octet-stream'
}

/** The size of a PNG or JPEG in pixels; undefined for any other file. */
function imageSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined
}

/**
 * Reads the size of a JPEG. Goes through its segments to the frame header (SOF0 to SOF15, except the three markers
 * that are not frames).
 */
function jpegSize(bytes: Buffer): { width: number; height: number } | undefined {
  let at = 2
  while (at + 9 <= bytes.length) {
    const marker = bytes.readUInt16BE(at)
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
