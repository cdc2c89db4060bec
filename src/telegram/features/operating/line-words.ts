import { foreignWord } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { b, span } from '../../words/markup.ts'

/** Parts of the lists for operators. */

export const openWords: ReadonlyMap<string, string> = new Map([
  ['queued', 'waiting'],
  ['sending', 'being sent'],
  ['review', 'to review'],
  ['placed', 'on their way'],
  ['superseded', 'replaced'],
])

export const placementWord = (placement: string): string => openWords.get(placement) ?? foreignWord(placement)

export const sinceFor = (since: Date, now: Date): string =>
  `since ${when(since, now)} (${span(now.getTime() - since.getTime())})`

export const title = (name: string, page: number): string =>
  page === 0 ? b(name) : `${b(name)} · page ${page + 1}`

/** The lines with their numbers, or that there are none. @param first how many lines are on earlier pages. */
export const numbered = (first: number, all: string[], none = 'Nothing here.'): string[] =>
  all.length === 0 ? [none] : all.map((line, index) => `${first + index + 1}. ${line}`)
