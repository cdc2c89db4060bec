import type { Feature } from '../feature.ts'
import { leaving } from '../guards/guards.ts'
import { help, leave, leaveByButton, showHelp, showHome, start } from './home.ts'

/** The menu, the help, and leaving any flow. */
export const home = {
  commands: {
    start: { run: start, onlyShows: true },
    help: { run: help, onlyShows: true },
    cancel: { run: leave, keepsQuestion: true },
  },
  presses: {
    home: leaving(showHome),
    leave: leaving(leaveByButton),
    help: (ctx, services, { topic }) => showHelp(ctx, services, topic),
  },
} satisfies Feature
