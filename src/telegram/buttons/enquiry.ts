import { isId } from '../../store/id.ts'

/** What a button about a question to the shop does. */
export type EnquiryAct =
  | { act: 'ask'; orderId: string }
  | { act: 'answer'; enquiryId: string }
  | { act: 'block'; enquiryId: string }
  | { act: 'unblock'; enquiryId: string }

export const wordsOfEnquiryAct = (act: EnquiryAct): string[] =>
  act.act === 'ask' ? ['ask', act.orderId] : [act.act, act.enquiryId]

export const readEnquiryAct = ([word = '', id = '']: string[]): EnquiryAct | null => {
  if (!isId(id)) return null
  switch (word) {
    case 'ask':
      return { act: 'ask', orderId: id }
    case 'answer':
    case 'block':
    case 'unblock':
      return { act: word, enquiryId: id }
    default:
      return null
  }
}
