import { escapeHtml, foreignWord, oneLine } from './screen.ts'

/** A number as a card or a line shows it, to be copied, behind the name that it is saved with. */
export const phoneText = (phone: string, name?: string | null): string => {
  const number = `<code>${escapeHtml(oneLine(phone, 80))}</code>`
  return name ? `<b>${foreignWord(name)}</b> (${number})` : number
}
