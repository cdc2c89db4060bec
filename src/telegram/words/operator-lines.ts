import { foreignWord } from '../chat/screen.ts'
import { when } from '../chat/time.ts'
import { b } from './markup.ts'

/** Parts of the lists that operators see: part of the catalogue. */

export const openWords: ReadonlyMap<string, string> = new Map([
  ['queued', 'waiting'],
  ['sending', 'being sent'],
  ['review', 'to review'],
  ['placed', 'on their way'],
])

export const placementWord = (placement: string): string => openWords.get(placement) ?? foreignWord(placement)

/** How long something has lasted: `12 s`, `5 min`, `3 h`, `2 days`. */
export const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

export const sinceFor = (since: Date, now: Date): string =>
  `since ${when(since, now)} (${span(now.getTime() - since.getTime())})`

export const title = (name: string, page: number): string =>
  page === 0 ? b(name) : `${b(name)} · page ${page + 1}`

export const numbered = (first: number, all: string[]): string[] =>
  all.map((line, index) => `${first + index + 1}. ${line}`)

export const nothingHere = 'Nothing here.'
