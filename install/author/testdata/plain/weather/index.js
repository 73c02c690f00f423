// nothing yet
