-- Each cause of work writes its duty in its own transaction. A condition that only makes work later writes nothing:
-- the search finds that out.

CREATE FUNCTION "owe_duty"(of_kind TEXT, of_key TEXT, at TIMESTAMP) RETURNS VOID LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO "Duty" AS "owed" ("kind", "key", "due", "causes") VALUES (of_kind, of_key, at, (RANDOM() * 1000000000)::INTEGER)
  ON CONFLICT ("kind", "key") DO UPDATE
    SET "due" = LEAST("owed"."due", excluded."due"), "causes" = "owed"."causes" + 1
    -- Once in a transaction is enough. One that causes work a thousand times would leave as many versions of the row.
    WHERE "owed"."due" > excluded."due" OR "owed".xmin <> pg_current_xact_id()::xid;
END $$;

CREATE FUNCTION "order_queued_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('placing', NEW."accountId", COALESCE(NEW."notBefore", NEW."createdAt"));
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_queued" AFTER INSERT ON "Order" FOR EACH ROW
  WHEN (NEW."placement" = 'queued' AND NEW."afterId" IS NULL)
  EXECUTE FUNCTION "order_queued_duty"();

CREATE FUNCTION "order_requeued_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('placing', NEW."accountId", COALESCE(NEW."notBefore", NEW."createdAt"));
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_requeued" AFTER UPDATE OF "placement", "afterId", "notBefore" ON "Order" FOR EACH ROW
  WHEN (NEW."placement" = 'queued' AND NEW."afterId" IS NULL)
  EXECUTE FUNCTION "order_requeued_duty"();

CREATE FUNCTION "order_polled_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('polling', NEW."accountId", NEW."nextPollAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_polled" AFTER INSERT ON "Order" FOR EACH ROW
  WHEN (NEW."nextPollAt" IS NOT NULL)
  EXECUTE FUNCTION "order_polled_duty"();

CREATE FUNCTION "order_polled_sooner_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('polling', NEW."accountId", NEW."nextPollAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_polled_sooner" AFTER UPDATE OF "nextPollAt" ON "Order" FOR EACH ROW
  WHEN (NEW."nextPollAt" IS NOT NULL AND (OLD."nextPollAt" IS NULL OR NEW."nextPollAt" < OLD."nextPollAt"))
  EXECUTE FUNCTION "order_polled_sooner_duty"();

CREATE FUNCTION "order_searched_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('settling', NEW."accountId", COALESCE(CASE WHEN NEW."refundAt" < NEW."settleAt" THEN NEW."refundAt" ELSE NEW."settleAt" END, NEW."refundAt"));
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_searched" AFTER INSERT ON "Order" FOR EACH ROW
  WHEN (NEW."settleAt" IS NOT NULL OR NEW."refundAt" IS NOT NULL)
  EXECUTE FUNCTION "order_searched_duty"();

CREATE FUNCTION "order_searched_sooner_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('settling', NEW."accountId", COALESCE(CASE WHEN NEW."refundAt" < NEW."settleAt" THEN NEW."refundAt" ELSE NEW."settleAt" END, NEW."refundAt"));
  RETURN NULL;
END $$;
CREATE TRIGGER "Order_searched_sooner" AFTER UPDATE OF "settleAt", "refundAt" ON "Order" FOR EACH ROW
  WHEN ((NEW."settleAt" IS NOT NULL AND (OLD."settleAt" IS NULL OR NEW."settleAt" < OLD."settleAt"))
    OR (NEW."refundAt" IS NOT NULL AND (OLD."refundAt" IS NULL OR NEW."refundAt" < OLD."refundAt")))
  EXECUTE FUNCTION "order_searched_sooner_duty"();

CREATE FUNCTION "purchase_released_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('placing', NEW."accountId", NEW."createdAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Purchase_released" AFTER UPDATE OF "heldById" ON "Purchase" FOR EACH ROW
  WHEN (OLD."heldById" IS NOT NULL AND NEW."heldById" IS NULL)
  EXECUTE FUNCTION "purchase_released_duty"();

CREATE FUNCTION "account_reachable_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('placing', NEW."id", '1970-01-01');
  PERFORM "owe_duty"('polling', NEW."id", '1970-01-01');
  PERFORM "owe_duty"('settling', NEW."id", '1970-01-01');
  RETURN NULL;
END $$;
CREATE TRIGGER "Account_reachable" AFTER UPDATE OF "frozenUntil", "unauthorizedSince" ON "Account" FOR EACH ROW
  WHEN ((OLD."unauthorizedSince" IS NOT NULL AND NEW."unauthorizedSince" IS NULL)
    OR (OLD."frozenUntil" IS NOT NULL AND (NEW."frozenUntil" IS NULL OR NEW."frozenUntil" < OLD."frozenUntil")))
  EXECUTE FUNCTION "account_reachable_duty"();

CREATE FUNCTION "notice_owed_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('sending', CAST(NEW."chatId" AS TEXT), COALESCE(CASE WHEN NEW."quietUntil" > NEW."notBefore" THEN NEW."quietUntil" ELSE NEW."notBefore" END, NEW."quietUntil", NEW."createdAt"));
  RETURN NULL;
END $$;
CREATE TRIGGER "Notice_owed" AFTER INSERT ON "Notice" FOR EACH ROW
  EXECUTE FUNCTION "notice_owed_duty"();

CREATE FUNCTION "notice_changed_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('sending', CAST(NEW."chatId" AS TEXT), NEW."createdAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Notice_changed" AFTER UPDATE OF "notBefore", "quietUntil", "setAsideAt", "chatId" ON "Notice" FOR EACH ROW
  WHEN (NEW."notBefore" IS NULL OR NEW."notBefore" < OLD."notBefore" OR NEW."quietUntil" IS DISTINCT FROM OLD."quietUntil"
    OR NEW."setAsideAt" IS DISTINCT FROM OLD."setAsideAt" OR NEW."chatId" <> OLD."chatId")
  EXECUTE FUNCTION "notice_changed_duty"();

CREATE FUNCTION "notice_gone_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('sending', CAST(OLD."chatId" AS TEXT), OLD."createdAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Notice_gone" AFTER DELETE ON "Notice" FOR EACH ROW
  WHEN (OLD."notBefore" IS NOT NULL)
  EXECUTE FUNCTION "notice_gone_duty"();

CREATE FUNCTION "chat_unmuted_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('sending', CAST(NEW."id" AS TEXT), OLD."mutedAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Chat_unmuted" AFTER UPDATE OF "mutedAt" ON "Chat" FOR EACH ROW
  WHEN (OLD."mutedAt" IS NOT NULL AND NEW."mutedAt" IS NULL)
  EXECUTE FUNCTION "chat_unmuted_duty"();

CREATE FUNCTION "chat_gone_duty"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
  PERFORM "owe_duty"('sending', CAST(OLD."id" AS TEXT), OLD."mutedAt");
  RETURN NULL;
END $$;
CREATE TRIGGER "Chat_gone" AFTER DELETE ON "Chat" FOR EACH ROW
  WHEN (OLD."mutedAt" IS NOT NULL)
  EXECUTE FUNCTION "chat_gone_duty"();
