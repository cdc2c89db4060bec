import { randomBytes } from 'node:crypto'

/** A new id: 128 random bits as 22 characters that are safe in URLs, deep links and callback data. */
export const newId = (): string => randomBytes(16).toString('base64url')

export const isId = (text: string): boolean => /^[\w-]{22}$/.test(text)
