import { forgetQuestion } from '../../chat/context.ts'
import type { Feature } from '../feature.ts'
import { leaving, owner } from '../guards/guards.ts'
import { isReferenceOrList } from '../guards/texts.ts'
import { pressAgents, refuseAgents, showAgents, takeLimit } from './agents.ts'
import { join, open, stay } from './invitation.ts'

const forOwners = owner(pressAgents, refuseAgents)

/** The agents of an account: people who order on an owner's wallet. */
export const agents = {
  commands: {
    agents: { run: owner(showAgents, refuseAgents), onlyShows: true },
  },
  presses: {
    agents: leaving((ctx, services, { act }) => {
      if (act.act === 'join') return join(ctx, services, act.secret)
      return act.act === 'stay' ? stay(ctx) : forOwners(ctx, services, act)
    }),
  },
  questions: {
    agent_limit: {
      staysFor: isReferenceOrList,
      text: owner(takeLimit, async (ctx, services, agent) => {
        await refuseAgents(ctx, services, agent)
        await forgetQuestion(ctx, services)
      }),
    },
  },
  links: { a: open },
} satisfies Feature
