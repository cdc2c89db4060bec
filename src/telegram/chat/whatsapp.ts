import { isPhone } from '../../provider/phone.ts'
import { labels } from '../words/labels.ts'
import { type Button, link } from './screen.ts'

/** The longest text that the address carries, because Telegram refuses longer addresses. */
const maxLength = 1_000

/** The address that opens WhatsApp with a text for that number; null: the person chooses who gets it. */
export const whatsAppUrl = (phone: string | null, text: string): string =>
  `https://wa.me/${phone === null ? '' : whatsAppNumber(phone)}?text=${encodeURIComponent(text)}`

/** The number as WhatsApp takes it: `233241234567`. */
export const whatsAppNumber = (phone: string): string => `233${phone.slice(1)}`

/**
 * A button that opens WhatsApp with a text for that number; null: the person chooses who gets it. There is no button
 * for a number that was removed, nor for a long text.
 */
export const whatsAppButtons = (
  phone: string | null,
  text: string,
  label: string = labels.whatsApp,
): Button[] =>
  (phone === null || isPhone(phone)) && text.length <= maxLength
    ? [link(label, whatsAppUrl(phone, text))]
    : []
