import type { Phone } from '../../provider/phone.ts'
import { readPhone } from '../read-phone.ts'
import { readNetwork } from '../reading/grammar/network-word.ts'
import { meaningOf } from '../reading/grammar/vocabulary.ts'
import { normalized } from '../reading/normalize.ts'
import { readSize } from '../size.ts'
import { cleanName } from './contact-name.ts'

export interface NamedNumber {
  phone: Phone
  name: string
}

type NamedLine =
  | ({ kind: 'read' } & NamedNumber)
  /** The line is blank, or only a table header. */
  | { kind: 'nothing' }
  | { kind: 'fault'; fault: NameFault }

export type NameFault = 'no_number' | 'bad_number' | 'two_numbers' | 'no_name'

const longest = 1_000

/** Reads `Kofi 0241234567`, in either order, with any characters in between. Tabs separate the cells of a table. */
export const readNamedNumber = (line: string): NamedLine => {
  const text = normalized(line.slice(0, longest)).trim()
  if (text === '' || isHead(text)) return { kind: 'nothing' }
  return text.includes('\t') ? readCells(text) : readFree(text)
}

const readCells = (text: string): NamedLine => {
  const cells = text.split('\t')
  const phones = cells.map((cell) => readPhone(cell)?.phone ?? null)
  const at = phones.findIndex((phone) => phone !== null)
  const phone = phones[at]
  if (!phone) return readFree(text.replaceAll('\t', ' '))
  if (phones.some((other) => other !== null && other !== phone)) return fault('two_numbers')
  const name = cells.map(nameOfCell).find((cell, index) => cell !== null && index !== at)
  return name ? { kind: 'read', phone, name } : fault('no_name')
}

const nameOfCell = (cell: string): string | null =>
  readSize(cell) || readNetwork(cell) ? null : cleanName(withoutSigns(cell))

const fault = (fault: NameFault): NamedLine => ({ kind: 'fault', fault })

/** A run of the characters that phones are written with. */
const run = /\+?\(?\d[\d\s().\-/+]*/g

const readFree = (text: string): NamedLine => {
  const runs = [...text.matchAll(run)].filter(([digits]) => digits.replace(/\D/g, '').length >= 7)
  const [only] = runs
  if (!only) return fault(/\d{4}/.test(text) ? 'bad_number' : 'no_number')
  if (runs.length > 1) return fault('two_numbers')
  const found = phoneIn(only[0])
  if (!found) return fault('bad_number')
  const at = only.index + found.at
  const name = cleanName(withoutSigns(`${text.slice(0, at)} ${text.slice(at + found.length)}`))
  return name ? { kind: 'read', phone: found.phone, name } : fault('no_name')
}

/** The parts of a run to try: all of it; without a leading line number; without a bare number at its end. */
const parts = [/^.*$/s, /(?<=^\d{1,4}[.)\s-]{1,3})(?:\+|0|233).*$/s, /^.*(?=\s\d{1,3}\s*$)/s]

const phoneIn = (digits: string): { phone: Phone; at: number; length: number } | null => {
  for (const pattern of parts) {
    const part = pattern.exec(digits)
    const read = part && readPhone(part[0].trim().replace(/[-/.(]+$/, ''))
    if (part && read) return { phone: read.phone, at: part.index, length: part[0].length }
  }
  return null
}

/** Removes a line number, a size with its unit, and the characters between name and phone. */
const withoutSigns = (name: string): string =>
  name
    .trim()
    .replace(/^#?\d{1,4}(?:[.):\s-]+|$)/, '')
    .replace(/(?<=^|\s)\d{1,5}(?:\.\d{1,3})?\s?(?:gb|gigs?|mb)(?=$|\s)/gi, ' ')
    .replace(/^[\s:;,.=|/*•–—"'`>-]+/u, '')
    .replace(/[\s:;,=|/*•(–—"`<-]+$/u, '')

/** Whether the text is a table header, such as `Name, Number`: every word is the header of a column. */
const isHead = (text: string): boolean => {
  const words = text.split(/[^\p{L}]+/u).filter(Boolean)
  return words.length > 0 && !/\d{3}/.test(text) && words.every((word) => meaningOf(word)?.as === 'label')
}
