-- DropTable
PRAGMA foreign_keys=off;
DROP TABLE "Bot";
PRAGMA foreign_keys=on;
