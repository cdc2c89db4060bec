import { isRemoved } from '../../domain/removed-phone.ts'
import { escapeHtml, foreignWord, oneLine } from '../chat/screen.ts'
import { numberOr } from '../words/removed.ts'

/** A number as a card or a line shows it, to be copied, behind the name that it is saved with. */
export const phoneText = (phone: string, name?: string | null): string => {
  if (isRemoved(phone)) return numberOr(phone)
  const number = `<code>${escapeHtml(oneLine(phone, 80))}</code>`
  return name ? `<b>${foreignWord(name)}</b> (${number})` : number
}
