import { isPhone, type Phone } from '../../provider/phone.ts'
import { isId } from '../../store/id.ts'

/** What a button about saved numbers does. Customers, orders and changes are named by id, and found in one's own book. */
export type CustomerAct =
  /** A page of the book. */
  | { act: 'list'; page: number }
  | { act: 'search' }
  | { act: 'add' }
  | { act: 'import' }
  | { act: 'export' }
  | { act: 'open'; id: string }
  | { act: 'buy'; id: string }
  | { act: 'rename'; id: string }
  | { act: 'delete'; id: string }
  /** Takes a change of the book back. */
  | { act: 'undo'; change: string }
  /** Saves the number of an order: the name is asked. */
  | { act: 'save'; orderId: string }
  /** Numbers that were kept on another network than their prefix says; forgets one, or all. */
  | { act: 'kept' }
  | { act: 'forget_kept'; phone: Phone }
  | { act: 'forget_all_kept' }
  /** Which of several was meant by `Kofi 5gb`: the size as `5GB`, the network only where it was named. */
  | { act: 'meant'; id: string; size: string; network: string }

export const wordsOfCustomerAct = (act: CustomerAct): (string | number)[] => {
  switch (act.act) {
    case 'list':
      return ['list', act.page]
    case 'search':
    case 'add':
    case 'import':
    case 'export':
    case 'kept':
    case 'forget_all_kept':
      return [act.act]
    case 'forget_kept':
      return ['forget_kept', act.phone]
    case 'open':
    case 'buy':
    case 'rename':
    case 'delete':
      return [act.act, act.id]
    case 'undo':
      return ['undo', act.change]
    case 'save':
      return ['save', act.orderId]
    case 'meant':
      return act.network === '' ? ['meant', act.id, act.size] : ['meant', act.id, act.size, act.network]
  }
}

export const readCustomerAct = ([
  word = '',
  first = '',
  second = '',
  third = '',
]: string[]): CustomerAct | null => {
  switch (word) {
    case 'list':
      return /^\d{1,4}$/.test(first) ? { act: 'list', page: Number(first) } : null
    case 'search':
    case 'add':
    case 'import':
    case 'export':
    case 'kept':
    case 'forget_all_kept':
      return { act: word }
    case 'forget_kept':
      return isPhone(first) ? { act: 'forget_kept', phone: first } : null
    case 'open':
    case 'buy':
    case 'rename':
    case 'delete':
      return isId(first) ? { act: word, id: first } : null
    case 'undo':
      return isId(first) ? { act: 'undo', change: first } : null
    case 'save':
      return isId(first) ? { act: 'save', orderId: first } : null
    case 'meant':
      return isId(first) && /^\d{1,5}(\.\d{1,3})?[GM]B$/.test(second) && /^[A-Za-z]{0,12}$/.test(third)
        ? { act: 'meant', id: first, size: second, network: third }
        : null
    default:
      return null
  }
}
