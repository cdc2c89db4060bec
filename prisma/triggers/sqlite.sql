-- Each cause of work writes its duty in its own transaction. A condition that only makes work later writes nothing:
-- the search finds that out.

CREATE TRIGGER "Order_queued" AFTER INSERT ON "Order"
  WHEN NEW."placement" = 'queued' AND NEW."afterId" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('placing', NEW."accountId", COALESCE(NEW."notBefore", NEW."createdAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_requeued" AFTER UPDATE OF "placement", "afterId", "notBefore" ON "Order"
  WHEN NEW."placement" = 'queued' AND NEW."afterId" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('placing', NEW."accountId", COALESCE(NEW."notBefore", NEW."createdAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_polled" AFTER INSERT ON "Order"
  WHEN NEW."nextPollAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('polling', NEW."accountId", NEW."nextPollAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_polled_sooner" AFTER UPDATE OF "nextPollAt" ON "Order"
  WHEN NEW."nextPollAt" IS NOT NULL AND (OLD."nextPollAt" IS NULL OR NEW."nextPollAt" < OLD."nextPollAt")
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('polling', NEW."accountId", NEW."nextPollAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_searched" AFTER INSERT ON "Order"
  WHEN NEW."settleAt" IS NOT NULL OR NEW."refundAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('settling', NEW."accountId", COALESCE(CASE WHEN NEW."refundAt" < NEW."settleAt" THEN NEW."refundAt" ELSE NEW."settleAt" END, NEW."refundAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Order_searched_sooner" AFTER UPDATE OF "settleAt", "refundAt" ON "Order"
  WHEN (NEW."settleAt" IS NOT NULL AND (OLD."settleAt" IS NULL OR NEW."settleAt" < OLD."settleAt"))
    OR (NEW."refundAt" IS NOT NULL AND (OLD."refundAt" IS NULL OR NEW."refundAt" < OLD."refundAt"))
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('settling', NEW."accountId", COALESCE(CASE WHEN NEW."refundAt" < NEW."settleAt" THEN NEW."refundAt" ELSE NEW."settleAt" END, NEW."refundAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Purchase_released" AFTER UPDATE OF "heldById" ON "Purchase"
  WHEN OLD."heldById" IS NOT NULL AND NEW."heldById" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('placing', NEW."accountId", NEW."createdAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Account_reachable" AFTER UPDATE OF "frozenUntil", "unauthorizedSince" ON "Account"
  WHEN (OLD."unauthorizedSince" IS NOT NULL AND NEW."unauthorizedSince" IS NULL)
    OR (OLD."frozenUntil" IS NOT NULL AND (NEW."frozenUntil" IS NULL OR NEW."frozenUntil" < OLD."frozenUntil"))
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('placing', NEW."id", '1970-01-01T00:00:00.000+00:00', ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('polling', NEW."id", '1970-01-01T00:00:00.000+00:00', ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('settling', NEW."id", '1970-01-01T00:00:00.000+00:00', ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_owed" AFTER INSERT ON "Notice"
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(NEW."chatId" AS TEXT), COALESCE(CASE WHEN NEW."quietUntil" > NEW."notBefore" THEN NEW."quietUntil" ELSE NEW."notBefore" END, NEW."quietUntil", NEW."createdAt"), ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_changed" AFTER UPDATE OF "notBefore", "quietUntil", "setAsideAt", "chatId" ON "Notice"
  WHEN NEW."notBefore" IS NULL OR NEW."notBefore" < OLD."notBefore" OR NEW."quietUntil" IS DISTINCT FROM OLD."quietUntil"
    OR NEW."setAsideAt" IS DISTINCT FROM OLD."setAsideAt" OR NEW."chatId" <> OLD."chatId"
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(NEW."chatId" AS TEXT), NEW."createdAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Notice_gone" AFTER DELETE ON "Notice"
  WHEN OLD."notBefore" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(OLD."chatId" AS TEXT), OLD."createdAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Chat_unmuted" AFTER UPDATE OF "mutedAt" ON "Chat"
  WHEN OLD."mutedAt" IS NOT NULL AND NEW."mutedAt" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(NEW."id" AS TEXT), OLD."mutedAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;

CREATE TRIGGER "Chat_gone" AFTER DELETE ON "Chat"
  WHEN OLD."mutedAt" IS NOT NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due", "causes") VALUES ('sending', CAST(OLD."id" AS TEXT), OLD."mutedAt", ABS(RANDOM() % 1000000000))
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;
