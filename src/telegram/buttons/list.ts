/** What a button on the card of a list does. */
export type ListAct =
  | { act: 'confirm'; digest: string }
  /** A page of the lines to fix. */
  | { act: 'page'; page: number }
  /** The answer to a question, both by their place; `digest` names the question, for the places may change. */
  | { act: 'answer'; question: string; choice: number }
  /** Takes back the answer to that question. */
  | { act: 'unanswer'; question: string }
  | { act: 'repeats'; order: boolean }
  | { act: 'fits'; fits: boolean }
  | { act: 'fix' }
  | { act: 'csv' }
  /** Reads prices and balance again, and shows the card here. */
  | { act: 'look' }
  /** Shows it in a message of its own, which is the card from then on. */
  | { act: 'open' }
  | { act: 'go_on' }
  | { act: 'stop' }
  | { act: 'retry' }
  /** One number of which only the order as a whole is known to have failed. */
  | { act: 'retry_one'; position: number }
  /** The numbers that were refused, without those that are known to be pending. */
  | { act: 'again' }
  /** A new preview; the nonce is spent by the first press. */
  | { act: 'repeat'; nonce: number }

export const wordsOfAct = (act: ListAct): (string | number)[] => {
  switch (act.act) {
    case 'confirm':
      return ['confirm', act.digest]
    case 'page':
      return ['page', act.page]
    case 'answer':
      return ['answer', act.question, act.choice]
    case 'unanswer':
      return ['unanswer', act.question]
    case 'repeats':
      return ['repeats', act.order ? 1 : 0]
    case 'fits':
      return ['fits', act.fits ? 1 : 0]
    case 'retry_one':
      return ['retry_one', act.position]
    case 'repeat':
      return ['repeat', act.nonce]
    case 'fix':
    case 'csv':
    case 'look':
    case 'open':
    case 'go_on':
    case 'stop':
    case 'retry':
    case 'again':
      return [act.act]
  }
}

export const readAct = ([word = '', first = '', second = '']: string[]): ListAct | null => {
  switch (word) {
    case 'confirm':
      return isDigest(first) ? { act: 'confirm', digest: first } : null
    case 'page':
      return isCount(first) ? { act: 'page', page: Number(first) } : null
    case 'answer':
      return isDigest(first) && isCount(second)
        ? { act: 'answer', question: first, choice: Number(second) }
        : null
    case 'unanswer':
      return isDigest(first) ? { act: 'unanswer', question: first } : null
    case 'repeats':
      return { act: 'repeats', order: first === '1' }
    case 'fits':
      return { act: 'fits', fits: first === '1' }
    case 'retry_one':
      return isCount(first) ? { act: 'retry_one', position: Number(first) } : null
    case 'repeat':
      return isCount(first) ? { act: 'repeat', nonce: Number(first) } : null
    case 'fix':
    case 'csv':
    case 'look':
    case 'open':
    case 'go_on':
    case 'stop':
    case 'retry':
    case 'again':
      return { act: word }
    default:
      return null
  }
}

const isDigest = (text: string): boolean => /^[\w-]{8}$/.test(text)
const isCount = (text: string): boolean => /^\d{1,6}$/.test(text)
