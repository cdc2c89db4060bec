import type { ActOf } from '../../buttons/table.ts'
import { type Button, button } from '../../chat/screen.ts'

export const contactsButton = (label: string, act: ActOf<'contacts'>): Button =>
  button(label, { do: 'contacts', act })
