import { isList } from '../../../lists/recognition.ts'
import { readReference } from '../../chat/reference.ts'
import type { Feature } from '../feature.ts'
import { anybody, leaving } from '../guards/guards.ts'
import { pressSettings, showSettings, takeSetting } from './settings.ts'

/** A person's settings, the data that the bot keeps about them, and the account's security log. */
export const settings = {
  commands: {
    settings: { run: anybody(showSettings), onlyShows: true },
  },
  presses: {
    settings: leaving(anybody(pressSettings)),
  },
  questions: {
    setting: {
      staysFor: (text) => readReference(text) !== null || isList(text),
      text: anybody(takeSetting),
    },
  },
} satisfies Feature
