-- DropTable
DROP TABLE "Bot";
