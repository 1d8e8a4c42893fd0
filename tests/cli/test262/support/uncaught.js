class Own {
    message = "text";
}
print("here");
throw new Own();
