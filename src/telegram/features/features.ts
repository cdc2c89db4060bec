import type { ButtonPress } from '../buttons/table.ts'
import type { Question } from '../chat/context.ts'
import { agents } from './agents/feature.ts'
import { buying } from './buying/feature.ts'
import { connecting } from './connecting/feature.ts'
import { contacts } from './contacts/feature.ts'
import { exporting } from './exporting/feature.ts'
import type { Feature } from './feature.ts'
import { following } from './following/feature.ts'
import { home } from './home/feature.ts'
import { lists } from './lists/feature.ts'
import { operating } from './operating/feature.ts'
import { orders } from './orders/feature.ts'
import { reminders } from './reminders/feature.ts'
import { selling } from './selling/feature.ts'
import { settings } from './settings/feature.ts'
import { wallet } from './wallet/feature.ts'

const rooms = [
  home,
  connecting,
  buying,
  lists,
  orders,
  following,
  reminders,
  wallet,
  exporting,
  contacts,
  agents,
  selling,
  settings,
  operating,
] as const

export const features: readonly Feature[] = rooms

type KeysOf<Room, Part extends keyof Feature> = Room extends { [P in Part]: infer Handlers }
  ? keyof Handlers
  : never

type Declared<Part extends keyof Feature> = KeysOf<(typeof rooms)[number], Part>

/** The buttons and questions that no feature handles. */
type Missing =
  | Exclude<ButtonPress['do'], Declared<'presses'>>
  | Exclude<Question['what'], Declared<'questions'>>

/** Always empty. If a button or a question has no feature, the compiler reports its name here. */
export const missing: Readonly<Record<Missing, never>> = {}
